/** How often, in words: never, once, 2 times. */
export function times(amount: number): string {
  if (amount === 0) return 'never';
  return amount === 1 ? 'once' : `${amount} times`;
}

/** How often something was called, after its name. */
export function wasCalled(amount: number): string {
  return amount === 0 ? 'was never called' : `was called ${times(amount)}`;
}
