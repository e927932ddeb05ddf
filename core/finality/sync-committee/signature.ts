import type { BeaconNetwork } from '../../chains/finality-rules.ts';
import { addKeys, decodeKey, isSignedBy } from '../bls.ts';
import type { BeaconHeader, Committee, Update } from './answers.ts';
import { forkAt } from './network.ts';
import { hashPair, headerRoot } from './ssz.ts';

const DOMAIN_SYNC_COMMITTEE = Buffer.from('07000000', 'hex');

const fromHex = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');

/** Returns the root that a committee signs (`compute_signing_root`), or undefined if the fork of the slot is unknown. */
export function signingRoot(
  network: BeaconNetwork,
  header: BeaconHeader,
  signatureSlot: number,
): Buffer | undefined {
  // A signature covers the version of the slot before its own.
  const fork = forkAt(network, Math.max(signatureSlot, 1) - 1);
  if (!fork) return undefined;
  const versionRoot = Buffer.concat([fromHex(fork.version), Buffer.alloc(28)]);
  const forkRoot = hashPair(versionRoot, fromHex(network.genesisValidatorsRoot));
  return hashPair(headerRoot(header), Buffer.concat([DOMAIN_SYNC_COMMITTEE, forkRoot.subarray(0, 28)]));
}

/** Returns a problem unless two thirds of a committee signed an update. */
export function signatureProblem(
  network: BeaconNetwork,
  update: Update,
  committee: Committee,
): string | undefined {
  const { sync_aggregate, signature_slot, attested_header } = update;
  const { sync_committee_bits: bits, sync_committee_signature: signature } = sync_aggregate;
  const members = committee.pubkeys.length;
  if (bits.length * 8 !== members) return `it has bits for ${bits.length * 8} members, not ${members}`;
  const absent = committee.pubkeys.filter((_, index) => (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 0);
  const signers = members - absent.length;
  // Two thirds of the committee: 342 of 512.
  if (signers * 3 < members * 2) return `only ${signers} of ${members} members signed it`;
  const message = signingRoot(network, attested_header.beacon, signature_slot);
  if (!message) return 'its fork is not known here';
  // The committee's root covers the sum of all keys, so we subtract the few that did not sign. A validator may hold several seats.
  const keys = [committee.aggregate_pubkey, ...absent].map(decodeKey);
  const [all, ...missing] = keys.flatMap((key) => key ?? []);
  if (!all || missing.length !== absent.length) return 'a key of its committee is invalid';
  const isSigned = isSignedBy(all.subtract(addKeys(missing)), message, signature);
  return isSigned ? undefined : 'its signature is not that of its committee; or its fork is not known here';
}
