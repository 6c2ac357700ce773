import type { OutputOf } from '@proofmark/contract';
import { cleanText, trialsPassed } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../../../examples.ts';
import { columnLines } from '../../../output.ts';
import { doCommand } from '../../../remote/do-command.ts';
import { latestRunWord } from '../../suite/list.ts';

export function groupsShowCommand(): Command {
  const command = doCommand<OutputOf<'getEvalRunGroup'>>({
    name: 'show',
    json: 'the group',
    arguments: [['group', 'the id of the group, as `start` prints it']],
    description: 'list the runs of a group with their verdicts; exits with 0',
    act: ({ client, projectId }, [runGroupId = '']) =>
      client.getEvalRunGroup({ projectId, runGroupId }),
    lines({ runs }, { ascii, width }) {
      const rows = runs.map((run) => [
        run.id,
        latestRunWord(run),
        trialsPassed({ status: run.status, ...run.summary }),
        cleanText(run.environment?.name ?? 'saved servers', ascii),
      ]);
      return columnLines(['RUN', 'VERDICT', 'TRIALS PASSED', 'ENVIRONMENT'], rows, width);
    },
  });
  return withExamples(command, 'proofmark eval groups show rgp_8c1e');
}
