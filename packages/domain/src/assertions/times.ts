/** Formats a number of times: never, once, 2 times. */
export function times(amount: number): string {
  if (amount === 0) return 'never';
  return amount === 1 ? 'once' : `${amount} times`;
}

/** Formats the number of calls, as a phrase to follow the tool's name. */
export function wasCalled(amount: number): string {
  return amount === 0 ? 'was never called' : `was called ${times(amount)}`;
}
