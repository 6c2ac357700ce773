/**
 * Runs that a test has launched and that have not ended. If the test stops early, the runs are
 * cancelled, because nobody would read their results. A launch in progress is awaited first.
 */
import type { TestConnection } from './open-service.ts';

export class LaunchedRuns {
  readonly #begun = new Set<Promise<string>>();
  #isOver = false;

  async during(
    launch: () => Promise<{ readonly runId: string }>,
    act: (runId: string) => Promise<unknown>,
  ): Promise<string> {
    if (this.#isOver) throw new Error('The test was stopped.');
    const begun = launch().then(({ runId }) => runId);
    this.#begun.add(begun);
    const runId = await begun;
    await act(runId);
    this.#begun.delete(begun);
    return runId;
  }

  async cancelAll({ client, projectId }: TestConnection): Promise<void> {
    this.#isOver = true;
    for (const begun of this.#begun) {
      const cancelled = begun.then((runId) => client.cancelEvalRun({ projectId, runId }));
      await cancelled.catch(() => undefined);
    }
  }
}
