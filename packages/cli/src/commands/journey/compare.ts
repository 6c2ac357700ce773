import { readAllPages } from '@proofmark/client';
import { criterionQuoted, targetName } from '@proofmark/report';
import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { comparisonExitCode, comparisonLines, criterionKey } from '../../remote/wave-comparison.ts';

export function journeyCompareCommand(): Command {
  return remoteCommand('compare')
    .description(
      'compare two waves; exits with 1 if a check holds less often than before, with 3 if it cannot be decided',
    )
    .argument('<wave>', 'the id of the wave')
    .argument('<before>', 'the id of the earlier wave')
    .option('--json', 'print the comparison as JSON')
    .action((waveId: string, baseWaveId: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const connection = await connectToService(flags);
        const { client, projectId } = connection;
        const compared = await client.compareWaves({ projectId, waveId, baseWaveId });
        if (flags.json) printJson(compared);
        else {
          const names = await readNames(connection, waveId);
          for (const line of comparisonLines(compared, names, terminalAbility())) printLine(line);
        }
        return comparisonExitCode(compared);
      }),
    );
}

/**
 * Returns display names by id. Journeys have their current names; targets and criteria have the
 * names stored in the wave's runs.
 */
async function readNames(
  connection: Connection,
  waveId: string,
): Promise<ReadonlyMap<string, string>> {
  const { client, projectId } = connection;
  const journeys = await readAllPages((page) => client.listJourneys({ projectId, ...page }));
  const names = new Map(journeys.map(({ id, name }) => [id, name]));
  for (const { journeyId, targets, criteria } of (await client.getWave({ projectId, waveId }))
    .runs) {
    for (const target of targets) names.set(target.targetId, targetName(target));
    for (const criterion of criteria) {
      const key = criterionKey({ journeyId, criterionId: criterion.id });
      names.set(key, criterionQuoted(criterion));
    }
  }
  return names;
}
