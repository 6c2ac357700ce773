/**
 * Runs all stop steps in reverse order. If a step fails, the others still run. Errors are thrown at
 * the end.
 */
export async function stopInReverse(steps: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps.splice(0).reverse()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 1)
    throw new AggregateError(failures, 'Several things could not be stopped.');
  if (failures.length > 0) throw failures[0];
}
