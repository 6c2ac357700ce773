import { count, describeKeepRule, grouped, retainedKinds } from '@proofmark/domain';
import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

type RetentionPreview = import('@proofmark/server').RetentionPreview;

export function retentionCommand(): Command {
  return operatorCommand('retention', 'show what is kept; nothing is removed by it')
    .argument('[org]', 'its id or name; without it, all organizations')
    .option('--preview', 'also what would go now')
    .action(async (organization: string | undefined, flags: Flags) => {
      const previews = await operate(flags, (operator) => operator.previewRetention(organization));
      const isPreview = flags['preview'] === true;
      if (flags['json']) return printJson(isPreview ? previews : previews.map(withoutPreview));
      for (const preview of previews) {
        for (const line of describe(preview, isPreview)) printLine(line);
      }
    });
}

function withoutPreview({ organization, rules }: RetentionPreview) {
  return { organization, rules };
}

function describe({ organization, rules, goes, spared }: RetentionPreview, isPreview: boolean) {
  const kept = retainedKinds.map((kind) => `${kind}: ${describeKeepRule(rules[kind])}`);
  const lines = [`${organization.name} (${organization.id}) keeps ${kept.join('; ')}.`];
  if (!isPreview) return lines;
  const { runs, traces, sessions } = goes;
  if (runs.count + traces.ofRuns + sessions.count === 0) lines.push('  Nothing would go.');
  if (runs.count > 0) {
    const with_ = `${count(runs.trials, 'trial')} and ${count(runs.traces, 'trace')}`;
    lines.push(`  ${count(runs.count, 'run')} with ${with_}, ${told(runs.bytes, runs)}.`);
  }
  if (traces.ofRuns > 0) {
    const of = `${count(traces.traces, 'trace')} of ${count(traces.ofRuns, 'run')}`;
    lines.push(`  ${of}, ${told(traces.traceBytes, traces)}.`);
  }
  if (sessions.count > 0) lines.push(`  ${count(sessions.count, 'chat session')}.`);
  const why = [
    ...(spared.open > 0 ? [`${grouped(spared.open)} open`] : []),
    ...(spared.waived > 0 ? [`${grouped(spared.waived)} under a waiver`] : []),
    ...(spared.newestDecided > 0
      ? [`${grouped(spared.newestDecided)} as the newest decided of a suite`]
      : []),
  ];
  if (why.length > 0) lines.push(`  Runs that stay all the same: ${why.join(', ')}.`);
  return lines;
}

function told(bytes: number, { oldest, newest }: { oldest: Date | null; newest: Date | null }) {
  const days = [oldest, newest].map((day) => day?.toISOString().slice(0, 10) ?? 'unknown');
  return `about ${grouped(bytes)} bytes, from ${days[0]} to ${days[1]}`;
}
