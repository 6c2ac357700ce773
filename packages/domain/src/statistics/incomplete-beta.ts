/**
 * The regularised incomplete beta function as a logarithm, so that chances below the smallest
 * floating-point number can still be compared. No available library returns the logarithm
 * (docs/decisions/0053).
 */

/**
 * Enough steps for shape parameters of tens of millions: the fraction needs about the square root
 * of such a parameter.
 */
const mostSteps = 100_000;
const precision = 1e-16;
/** Replaces a zero denominator of the continued fraction, as Lentz's method needs. */
const tiny = 1e-300;

/**
 * Returns ln I_x(a, b) for a, b > 0: −Infinity at x = 0, and 0 at x = 1. `logWhole` is
 * `logBeta(a, b)`, for callers that know it.
 */
export function logIncompleteBeta(
  x: number,
  a: number,
  b: number,
  logWhole = logBeta(a, b),
): number {
  if (x <= 0) return Number.NEGATIVE_INFINITY;
  if (x >= 1) return 0;
  const front = a * Math.log(x) + b * Math.log1p(-x) - logWhole;
  // The fraction converges quickly on one side of the mean only; the other side is its complement.
  if (x < (a + 1) / (a + b + 2)) return front + Math.log(continuedFraction(x, a, b) / a);
  return Math.log1p(-Math.exp(front) * (continuedFraction(1 - x, b, a) / b));
}

export function incompleteBeta(x: number, a: number, b: number): number {
  return Math.exp(logIncompleteBeta(x, a, b));
}

export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

function continuedFraction(x: number, a: number, b: number): number {
  let upper = 1;
  let lower = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = lower;
  for (let step = 1; step <= mostSteps; step += 1) {
    const even = (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step));
    lower = 1 / awayFromZero(1 + even * lower);
    upper = awayFromZero(1 + even / upper);
    value *= lower * upper;
    const odd = (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1));
    lower = 1 / awayFromZero(1 + odd * lower);
    upper = awayFromZero(1 + odd / upper);
    const factor = lower * upper;
    value *= factor;
    if (Math.abs(factor - 1) <= precision) return value;
  }
  return value;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

const halfLogOfTwoPi = Math.log(2 * Math.PI) / 2;
/** From this argument on, five terms of Stirling's series are exact to the last digit. */
const stirlingFrom = 15;

/** Returns ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  while (shifted < stirlingFrom) {
    product *= shifted;
    shifted += 1;
  }
  const inverse = 1 / shifted;
  const square = inverse * inverse;
  const series =
    inverse *
    (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188))));
  return (
    (shifted - 0.5) * Math.log(shifted) - shifted + halfLogOfTwoPi + series - Math.log(product)
  );
}
