/** Returns a number of times in words: never, once, 2 times. */
export function times(amount: number): string {
  if (amount === 0) return 'never';
  return amount === 1 ? 'once' : `${amount} times`;
}

/** Returns the number of calls in words, to follow the tool's name. */
export function wasCalled(amount: number): string {
  return amount === 0 ? 'was never called' : `was called ${times(amount)}`;
}
