import { grouped, type SpendingOfDay } from '@proofmark/domain';
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
  if (counters.length + ledger.length === 0) return [...lines, '  Nothing was used.'];
  for (const { name, used, reserved } of counters) {
    lines.push(`  ${name}: ${used}${reserved > 0 ? `, and ${reserved} set aside` : ''}`);
  }
  for (const { kind, model, steps, inputTokens, outputTokens, credits, unpriced } of ledger) {
    lines.push(`  ${kind} on ${model}`);
    lines.push(
      `    ${grouped(steps)} steps, ${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`,
    );
    lines.push(
      `    ${credits} credits${unpriced > 0 ? `; ${grouped(unpriced)} steps have no known cost` : ''}`,
    );
  }
  return lines;
}
