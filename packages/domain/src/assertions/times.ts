export function times(amount: number): string {
  if (amount === 0) return 'never';
  return amount === 1 ? 'once' : `${amount} times`;
}

export function wasCalled(amount: number): string {
  return amount === 0 ? 'was never called' : `was called ${times(amount)}`;
}
