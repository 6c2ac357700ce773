/**
 * What `--replay` runs on: this process alone. The recordings are graded in memory by the rules of the service, which
 * answers in the same words; no database is made, and nothing is written.
 */
import { ApiError } from '@proofmark/client';
import { errorStatus } from '@proofmark/contract';
import type { ReplayService, TestClient } from './open-service.ts';

export async function replayHere(showsWidgets: boolean): Promise<ReplayService> {
  const server = await import('@proofmark/server/in-memory');
  const { project, checkImport, stop } = server.openReplay({ showsWidgets });
  const answer = async <Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> => {
    try {
      return await ask();
    } catch (error) {
      const refusal = server.refusalIn(error);
      if (refusal === undefined) throw error;
      throw new ApiError(errorStatus[refusal.code], refusal, undefined);
    }
  };
  const client: TestClient = {
    importEvalSuite: ({ body }) => answer(() => project.importSuite(checkImport(spelled(body)))),
    createEvalRun: ({ body: { suiteId, iterationOverride, replay } }) =>
      answer(() =>
        project.launch({
          ...(suiteId !== undefined && { suiteId }),
          ...(iterationOverride !== undefined && { iterationOverride }),
          ...(replay && { replay: { ...replay, onDivergence: replay.onDivergence ?? 'stop' } }),
        }),
      ),
    getEvalRun: ({ runId }) => answer(() => project.readRun(runId)),
    listEvalRunIterations: ({ projectId: _, runId, limit, cursor, before: _before, ...filter }) =>
      answer(() =>
        project.readTrials(runId, filter, {
          ...(limit !== undefined && { limit }),
          ...(cursor !== undefined && { cursor }),
        }),
      ),
    getEvalRunSurface: () => answer(() => project.refuseSurface()),
    cancelEvalRun: ({ runId }) => answer(() => project.cancelRun(runId)),
  };
  return {
    connection: { client, projectId: project.id },
    isOver: true,
    nameServer: async (name) => project.nameServer(name),
    keepRecorded: (suiteId, trials, repetitions) =>
      answer(() => project.keepRecorded(suiteId, trials, repetitions)),
    stop,
  };
}

/** As it would be sent: what is not known is left out. */
function spelled(body: object): unknown {
  return JSON.parse(JSON.stringify(body));
}
