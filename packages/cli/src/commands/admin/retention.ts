import { count, describeKeepRule, grouped, retainedKinds } from '@proofmark/domain';
import type { Command } from 'commander';
import { printJson, printLine, printSentence } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

type RetentionPreview = import('@proofmark/server').RetentionPreview;

export function retentionCommand(): Command {
  return operatorCommand('retention', 'show the rules of retention; removes nothing')
    .argument('[org]', 'id or name (default: all organizations)')
    .option(
      '--preview [kind=rule...]',
      'also show what would be removed now, or by rules such as runs=50 before you set them',
    )
    .action(async (given: string | undefined, { preview, ...flags }: PreviewFlags) => {
      const { organization, instead } = wantedPreview(given, preview);
      const previews = await operate(flags, (operator) =>
        operator.previewRetention(organization, instead),
      );
      const isPreview = preview !== undefined;
      if (flags['json']) return printJson(isPreview ? previews : previews.map(withoutPreview));
      for (const one of previews) printRetention(one, isPreview);
    });
}

function printRetention(one: RetentionPreview, isPreview: boolean): void {
  for (const line of describeRules(one)) printLine(line);
  if (isPreview) for (const line of describeGoing(one)) printSentence(line);
}

type PreviewFlags = Flags & { readonly preview?: true | readonly string[] };

/**
 * Parses the words after `--preview`. A word with `=` is a retention rule, a word without `=` is
 * the organization.
 */
export function wantedPreview(given: string | undefined, preview: true | readonly string[] = []) {
  const words = preview === true ? [] : preview;
  const rules = words.filter((word) => word.includes('='));
  const [named] = words.filter((word) => !word.includes('='));
  return {
    organization: given ?? named,
    instead: Object.fromEntries(
      rules.map((rule) => [rule.slice(0, rule.indexOf('=')), rule.slice(rule.indexOf('=') + 1)]),
    ),
  };
}

function withoutPreview({ organization, rules }: RetentionPreview) {
  return { organization, rules };
}

function describeRules({ organization, rules }: RetentionPreview): string[] {
  const kept = retainedKinds.map((kind) => `  ${kind}: ${describeKeepRule(rules[kind])}`);
  return [`${organization.name} (${organization.id}) keeps`, ...kept];
}

export function describeGoing({
  goes,
  spared,
}: Pick<RetentionPreview, 'goes' | 'spared'>): string[] {
  const lines: string[] = [];
  const { runs, traces, sessions } = goes;
  if (runs.count + traces.ofRuns + sessions.count === 0) lines.push('Nothing would be removed.');
  if (runs.count > 0) {
    const with_ = `${count(runs.trials, 'trial')} and ${count(runs.traces, 'trace')}`;
    lines.push(
      `Would be removed: ${count(runs.count, 'run')} with ${with_}, ${sizeAndDaysText(runs.bytes, runs)}.`,
    );
  }
  if (traces.ofRuns > 0) {
    const of = `${count(traces.traces, 'trace')} of ${count(traces.ofRuns, 'run')}`;
    lines.push(`Would be removed: ${of}, ${sizeAndDaysText(traces.traceBytes, traces)}.`);
  }
  if (sessions.count > 0) lines.push(`Would be removed: ${count(sessions.count, 'chat session')}.`);
  const why = [
    ...(spared.open > 0 ? [`${grouped(spared.open)} open`] : []),
    ...(spared.waived > 0 ? [`${grouped(spared.waived)} under a waiver`] : []),
    ...(spared.newestDecided > 0
      ? [`${grouped(spared.newestDecided)} as the newest decided of a suite`]
      : []),
  ];
  if (why.length > 0) lines.push(`Runs that stay in any case: ${why.join(', ')}.`);
  return lines;
}

function sizeAndDaysText(
  bytes: number,
  { oldest, newest }: { oldest: Date | null; newest: Date | null },
) {
  const days = [oldest, newest].map((day) => day?.toISOString().slice(0, 10) ?? 'unknown');
  return `about ${grouped(bytes)} bytes, from ${days[0]} to ${days[1]}`;
}
