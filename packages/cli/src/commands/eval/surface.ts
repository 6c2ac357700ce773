import { plainSentence, surfaceSentences, tokenSentences } from '@proofmark/report';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { doCommand, ofRun } from '../../remote/do-command.ts';
import { withTrustFlag } from '../../trust/require-trust.ts';
import { type OwnService, withServiceOrData } from '../test/open-service.ts';

interface Flags {
  readonly base?: string;
}

export function evalSurfaceCommand(own?: OwnService): Command {
  const command = doCommand({
    name: 'surface',
    description: 'show how the tools of two runs differ; exits with 0',
    json: 'the difference',
    arguments: ofRun,
    connected: (flags, work) => withServiceOrData(flags, own, work),
    act: ({ client, projectId }, [runId = ''], { base }: Flags) =>
      client.getEvalRunSurface({
        projectId,
        runId,
        ...(base !== undefined && { baseRunId: base }),
      }),
    sentences: (surface) => {
      if (surface.hash === null || surface.baseHash === null) {
        return [
          'The tools of at least one of the two runs are not stored, so they cannot be compared.',
        ];
      }
      const sentences = surfaceSentences(surface).map((sentence) => plainSentence(sentence, false));
      const size = tokenSentences(surface.tokens);
      if (sentences.length === 0) return ['Both runs had the same tools.', ...size];
      const { added, removed, renamed, changed } = surface.totals;
      const unlisted = added + removed + renamed + changed - sentences.length;
      const more = unlisted === 0 ? [] : [`${unlisted} more differences.`];
      return [...sentences, ...more, ...size];
    },
  }).option('--base <run>', 'the run to compare with (default: the last completed one before)');
  return withExamples(
    withTrustFlag(command),
    'proofmark eval surface run_1f3a',
    'proofmark eval surface run_1f3a --base run_07bc --json',
  );
}
