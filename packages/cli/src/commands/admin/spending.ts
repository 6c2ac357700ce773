import { count, grouped, type SpendingOfDay } from '@proofmark/domain';
import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function spendingCommand(): Command {
  return operatorCommand('spending', 'show what an organization used and spent on a day')
    .argument('<org>', 'its id or name')
    .option('--day <day>', 'a UTC day like 2026-03-04; today where none is given')
    .action(async (organization: string, flags: Flags) => {
      const day = flags['day'] === undefined ? undefined : String(flags['day']);
      const spent = await operate(flags, (operator) => operator.readSpending(organization, day));
      if (flags['json']) return printJson(spent);
      for (const line of describeSpending(spent)) printLine(line);
    });
}

export function describeSpending({ day, counters, ledger }: SpendingOfDay): string[] {
  const lines = [`${day} (UTC)`];
  for (const { name, used, reserved, allowed } of counters) {
    const of = allowed === undefined ? '' : allowed === null ? ', no limit' : ` of ${allowed}`;
    const aside = reserved > 0 ? `, and ${reserved} set aside` : '';
    lines.push(`  ${counterWords.get(name) ?? name}: ${used}${of}${aside}`);
  }
  for (const { kind, model, steps, inputTokens, outputTokens, credits, unpriced } of ledger) {
    const unit = kind === 'trial_step' ? 'trial' : 'call';
    const ofSome = unpriced < steps ? `of ${grouped(unpriced)} ` : '';
    const unknown = unpriced > 0 ? `; ${ofSome}the cost is not known` : '';
    lines.push(`  ${kindWords.get(kind) ?? kind} on ${model}`);
    lines.push(
      `    ${count(steps, unit)}, ${count(inputTokens, 'token')} in, ${grouped(outputTokens)} out`,
    );
    lines.push(`    ${credits} ${credits === 1 ? 'credit' : 'credits'}${unknown}`);
  }
  return lines;
}

const counterWords: ReadonlyMap<string, string> = new Map([
  ['credits', 'Credits'],
  ['insightsPerDay', 'Insights'],
  ['generationsPerDay', 'Drafts'],
  ['agentTurnsPerDay', 'Agent turns'],
  ['journeyRunsPerDay', 'Journey runs'],
  ['trialsPerDay', 'Trials'],
]);

const kindWords: ReadonlyMap<string, string> = new Map([
  ['trial_step', 'Trials'],
  ['judge', 'Judges'],
  ['host_step', 'Assistants in sessions'],
  ['persona_turn', 'Simulated users'],
  ['insights', 'Insights'],
  ['generation', 'Drafts'],
  ['agent_step', 'Agent'],
  ['provider_test', 'Tests of providers'],
]);
