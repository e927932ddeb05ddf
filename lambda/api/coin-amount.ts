const WEI_PER_COIN = 10n ** 18n;

/** An amount of wei as an exact decimal of the coin, with trailing zeros cut: `1500000000000000000n` is `1.5`. */
export function coinAmount(wei: bigint): string {
  const fraction = (wei % WEI_PER_COIN).toString().padStart(18, '0').replace(/0+$/, '');
  const whole = (wei / WEI_PER_COIN).toString();
  return fraction ? `${whole}.${fraction}` : whole;
}
