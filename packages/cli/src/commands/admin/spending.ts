import { count, grouped, type SpendingOfDay } from '@proofmark/domain';
import { knownWord, ledgerKindWords, limitWords } from '@proofmark/report';
import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function spendingCommand(): Command {
  return operatorCommand('spending', 'show the use and the cost of an organization on a day')
    .argument('<org>', 'id or name')
    .option('--day <day>', 'a UTC day like 2026-03-04 (default: today)')
    .action(async (organization: string, flags: Flags) => {
      const day = flags['day'] === undefined ? undefined : String(flags['day']);
      const spent = await operate(flags, (operator) => operator.readSpending(organization, day));
      if (flags['json']) return printJson(spent);
      for (const line of describeSpending(spent)) printLine(line);
    });
}

export function describeSpending({ day, counters, ledger }: SpendingOfDay): string[] {
  const lines = [`${day} (UTC)`];
  for (const counter of counters) lines.push(describeCounter(counter));
  for (const entry of ledger) lines.push(...describeEntry(entry));
  return lines;
}

function describeCounter({
  name,
  used,
  reserved,
  allowed,
}: SpendingOfDay['counters'][number]): string {
  const of = allowed === undefined ? '' : allowed === null ? ', no limit' : ` of ${allowed}`;
  const aside = reserved > 0 ? `, and ${reserved} reserved` : '';
  return `  ${knownWord(limitWords, name)}: ${used}${of}${aside}`;
}

function describeEntry(entry: SpendingOfDay['ledger'][number]): string[] {
  const { kind, model, steps, inputTokens, outputTokens, credits, unpriced } = entry;
  const unit = kind === 'trial_step' ? 'trial' : 'call';
  const ofSome = unpriced < steps ? `of ${grouped(unpriced)} ` : '';
  const unknown = unpriced > 0 ? `; ${ofSome}the cost is not known` : '';
  return [
    `  ${knownWord(ledgerKindWords, kind)} on ${model}`,
    `    ${count(steps, unit)}, ${count(inputTokens, 'token')} in, ${grouped(outputTokens)} out`,
    `    ${credits} ${credits === 1 ? 'credit' : 'credits'}${unknown}`,
  ];
}
