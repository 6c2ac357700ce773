/**
 * Runs all stop steps in reverse order. A step that fails does not prevent the next from releasing
 * its resources. Errors are thrown at the end.
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
