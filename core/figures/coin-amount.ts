const WEI_PER_COIN = 10n ** 18n;

/** Formats wei as an exact decimal of the coin without trailing zeros: `1500000000000000000n` is `1.5`. */
export function coinAmount(wei: bigint): string {
  const fraction = (wei % WEI_PER_COIN).toString().padStart(18, '0').replace(/0+$/, '');
  const whole = (wei / WEI_PER_COIN).toString();
  return fraction ? `${whole}.${fraction}` : whole;
}
