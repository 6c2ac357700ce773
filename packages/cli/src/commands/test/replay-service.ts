/**
 * The service of `--replay`: this process alone. The recordings are graded in memory by the rules
 * of the service, with the same messages; there is no database, and nothing is written.
 */
import { answerOrRefuse, inMemoryClient } from './in-memory-client.ts';
import type { ReplayService } from './open-service.ts';

export async function replayHere(showsWidgets: boolean): Promise<ReplayService> {
  const server = await import('@proofmark/server/in-memory');
  const { project, stop } = server.openReplay({ showsWidgets });
  return {
    connection: { client: inMemoryClient(server, project), projectId: project.id },
    isOver: true,
    nameServer: async (name) => project.servers.name(name),
    keepRecorded: (suiteId, trials, repetitions) =>
      answerOrRefuse(server, () => project.keepRecorded(suiteId, trials, repetitions)),
    stop,
  };
}
