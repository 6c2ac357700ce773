import { describeKeepRule, type RetainedKind } from '@proofmark/domain';
import type { Command } from 'commander';
import { printJson, printSentence } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';
import { describeGoing } from './retention.ts';

export function setRetentionCommand(): Command {
  return operatorCommand('set-retention', 'set how long data of an organization is kept')
    .argument('<org>', 'id or name')
    .argument('<kind>', 'runs, traces or sessions')
    .argument('<rule>', '90d, 50, 90d/50 (the newest 50 of 90 days), none, or default')
    .action(async (organization: string, kind: string, rule: string, flags: Flags) => {
      const { rules, goes, spared } = await operate(flags, (operator) =>
        operator.setRetention(organization, kind, rule),
      );
      const kept = rules[kind as RetainedKind];
      if (flags['json']) return printJson({ kind, ...kept, goes, spared });
      printSentence(`Rule for the ${kind} of ${organization}: ${describeKeepRule(kept)}.`);
      for (const line of describeGoing({ goes, spared })) printSentence(line);
      printSentence(
        'The service removes the rest within the hour; until then you can change the rule.',
      );
    });
}
