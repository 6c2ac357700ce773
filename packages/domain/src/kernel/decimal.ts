/**
 * Exact decimal arithmetic for sums of money. Prices are decimal numbers as written, so tokens
 * times prices give the exact sum. Only the sum is rounded.
 */

/** A decimal number: `digits` with the decimal point `places` digits from the right. */
export interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

export const nothing: Decimal = { digits: 0n, places: 0 };

export function multiply(count: number, price: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(price).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return {
    digits: BigInt(count) * BigInt(whole + fraction),
    places: fraction.length - Number(exponent),
  };
}

export function plus(one: Decimal, other: Decimal): Decimal {
  const places = Math.max(one.places, other.places);
  const scaled = ({ digits, places: own }: Decimal) => digits * 10n ** BigInt(places - own);
  return { digits: scaled(one) + scaled(other), places };
}

/** Returns the number, with the decimal point moved another `shift` places to the left. */
export function toNumber({ digits, places }: Decimal, shift = 0): number {
  return Number(`${digits}e${-places - shift}`);
}
