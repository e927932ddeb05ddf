import { finalitySourcesOf } from '../../core/anchor/prove-final.ts';
import { withBeacon } from '../../core/chains/beacon-choice.ts';
import { type ChainName, chainNames, chainOf } from '../../core/chains/chains.ts';
import { newFirstDay } from '../../core/days/first-day.ts';
import { addDays, dayOf, later, type UtcDay } from '../../core/figures/calendar.ts';
import { endpointOf, secretEndpoints } from '../../core/rpc/endpoint.ts';
import { createParameterStore, readEndpointUrls } from '../../core/rpc/endpoints-parameter.ts';
import type { ChainSettings } from '../../core/settings/chain-settings.ts';
import { DAYS_BACK } from '../../local/development-days.ts';
import { readSettings } from '../../local/settings.ts';
import { configOf } from '../deployed-service.ts';
import { orUsageError } from '../exit-codes.ts';
import { onlyChain } from '../options.ts';
import { chainsOf } from '../service.ts';

/** A chain of a configuration, deployed or not. */
export type Target = ReturnType<typeof targetOf>;

/** Returns the place of a setting, for advice in messages. */
type SettingOf = (field: 'startDate' | 'confirmations' | 'evidence') => string;

/** @param readUrls undefined for public endpoints; throws ParameterError */
function targetOf(
  name: ChainName,
  settings: ChainSettings,
  settingOf: SettingOf,
  from: UtcDay,
  readUrls: (() => Promise<readonly string[]>) | undefined,
) {
  const chain = withBeacon(chainOf(name), settings.beacon);
  return {
    ...settings,
    evidence: settings.evidence ?? 'proven',
    settingOf,
    name,
    chain,
    // First day to ingest.
    from,
    // The sources of proofs of finality.
    proof: finalitySourcesOf(chain, settings, readUrls === undefined),
    readEndpoints: async () =>
      readUrls
        ? secretEndpoints(chain, await readUrls())
        : chain.publicEndpoints.map((url) => endpointOf(chain, url)),
  };
}

/** Returns the chains of a stage, deployed or not. @param now seconds since 1970 @throws CommandError when it is invalid */
export function targetsOfStage(stage: string, now: number): readonly Target[] {
  const { env, chains } = configOf(stage);
  return chains.map(({ name, startDate, endpointsParameter: parameter, ...settings }) =>
    targetOf(
      name,
      settings,
      (field) => `chains.${name}.${field} in lib/stages/${stage}.ts`,
      newFirstDay(chainOf(name), startDate, now * 1_000),
      parameter === undefined ? undefined : () => readEndpointUrls(createParameterStore(env), parameter),
    ),
  );
}

/** Returns the chains of `npm start` and `also`, with public endpoints for development nodes. @throws CommandError if invalid */
export function targetsOfEnvironment(
  environment: NodeJS.ProcessEnv,
  now: number,
  also: readonly ChainName[] = [],
): readonly Target[] {
  const { rpcUrls, startDay, chains, settingsOf } = orUsageError(() => readSettings(environment));
  const names = chainNames.filter((name) => also.includes(name) || chains.includes(name));
  return names.map((name) => {
    const urls = rpcUrls.get(name);
    const settingOf: SettingOf = (field) =>
      field === 'startDate' ? 'INGEST_START_DATE' : `${field.toUpperCase()}_${name}`;
    const from = later(startDay ?? addDays(dayOf(now), -DAYS_BACK), chainOf(name).firstDay);
    return targetOf(name, settingsOf(name), settingOf, from, urls && (async () => urls));
  });
}

/** Selects targets by chain, or gives the only one other endpoints. @throws CommandError when none or several are left */
export function chooseTargets(
  targets: readonly Target[],
  names: readonly ChainName[] | undefined,
  rpcUrls: readonly string[],
): readonly Target[] {
  const selected = chainsOf({ title: 'This configuration', chains: targets }, names);
  if (rpcUrls.length === 0) return selected;
  const target = onlyChain(selected);
  return [{ ...target, readEndpoints: async () => secretEndpoints(target.chain, rpcUrls) }];
}
