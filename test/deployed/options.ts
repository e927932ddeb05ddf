import { parseArgs } from 'node:util';
import * as z from 'zod';
import { stages } from '#lib/stages/stages.ts';

export const HELP = `npm run test:deployed -- [--stage NAME] [options]
Deploys a throwaway stage to AWS, or to the emulator at AWS_ENDPOINT_URL, tries it, and destroys it. docs/operate/trial.md explains it.

  --stage NAME         stage to create and destroy; not one of lib/stages/stages.ts (e2e)
  --account ID         account of the credentials; required without AWS_ENDPOINT_URL
  --upgrade-from REF   deploys this commit or tag first, and upgrades it
  --node-cert FILE     certificate of the test nodes (PEM), which the deployed functions must trust
  --node-key FILE      its private key (PEM). Without both, the ingest is skipped
  --node-host NAME     name in the certificate, under which functions reach this machine (localhost)
  --keep               does not destroy the stage
  --clean              only destroys a stage that an earlier trial left`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const parameters = {
  stage: text,
  account: text,
  'upgrade-from': text,
  'node-cert': text,
  'node-key': text,
  'node-host': text,
  keep: flag,
  clean: flag,
  help: flag,
};

const optionsSchema = z
  .object({
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,19}$/, 'expected up to 20 lower-case letters, digits and hyphens')
      .refine(
        (name) => !Object.hasOwn(stages, name),
        'names a stage of lib/stages/stages.ts. Choose another name',
      )
      .default('e2e'),
    account: z
      .string()
      .regex(/^\d{12}$/, 'expected an account ID of 12 digits')
      .optional(),
    'upgrade-from': z.string().optional(),
    'node-cert': z.string().optional(),
    'node-key': z.string().optional(),
    'node-host': z.string().default('localhost'),
    keep: z.boolean().default(false),
    clean: z.boolean().default(false),
    help: z.boolean().default(false),
  })
  .refine((options) => (options['node-cert'] === undefined) === (options['node-key'] === undefined), {
    path: ['node-key'],
    error: 'needs --node-cert, and the reverse. Give both or none',
  });

export type Options = z.output<typeof optionsSchema>;

/** The AWS that the trial deploys to. */
export interface Target {
  /** Differences that we know of emulators are skipped there. In an account they are failures. */
  readonly isEmulator: boolean;
  /** URL of the emulator. */
  readonly endpoint?: string | undefined;
  readonly region: string;
}

/** Returns the reason to skip a check that emulators fail; undefined in an account, where it must pass. */
export const gapOf = ({ isEmulator }: Target, reason: string): string | undefined =>
  isEmulator ? reason : undefined;

/** @throws ZodError for a wrong value, TypeError for an unknown option */
export const readOptions = (words: readonly string[]): Options =>
  optionsSchema.parse(parseArgs({ args: [...words], options: parameters }).values);

/**
 * Reads the target from the environment of AWS tools.
 * @throws Error without a region, or for a real account that the options do not name
 */
export function readTarget({ account }: Pick<Options, 'account'>, environment: NodeJS.ProcessEnv): Target {
  const { AWS_ENDPOINT_URL: endpoint, AWS_REGION: region = environment.AWS_DEFAULT_REGION } = environment;
  if (!region) throw new Error('No AWS region is set. Set AWS_REGION.');
  if (!endpoint && account === undefined) {
    throw new Error(
      'The trial would deploy to a real account: AWS_ENDPOINT_URL is not set. Set it, or name the account with --account.',
    );
  }
  return { isEmulator: Boolean(endpoint), endpoint, region };
}
