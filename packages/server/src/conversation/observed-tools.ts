import type { TrialEvidence } from '@proofmark/domain';
import type { OpenedServers } from './run-servers.ts';
import type { TrialLog } from './trial-log.ts';

type Seen = Pick<
  TrialEvidence,
  'executorEmitsSpans' | 'spans' | 'toolErrors' | 'connect' | 'toolsList' | 'toolCount'
>;

export function observedTools(log: TrialLog, opened: OpenedServers | undefined): Seen {
  const seen: { -readonly [Name in keyof Seen]: Seen[Name] } = {
    executorEmitsSpans: true,
    spans: log.toolSpans,
    toolErrors: log.toolErrors.map(({ message: _, sentence: __, ...error }) => error),
  };
  if (opened === undefined) return seen;
  seen.connect = opened.connect;
  if (opened.toolsList !== undefined) seen.toolsList = opened.toolsList;
  // If one server could not be listed, the tools of the others alone would be a wrong count.
  if (opened.surface !== null) {
    seen.toolCount = opened.servers.reduce((sum, { tools }) => sum + tools.length, 0);
  }
  return seen;
}
