import { Command } from 'commander';
import { printNotice } from '../../output.ts';
import { settingsOf } from '../../settings.ts';
import { withDatabaseFlags } from '../database-flags.ts';

export type Flags = Readonly<Record<string, string | boolean | undefined>>;

export function operatorCommand(name: string, description: string): Command {
  return withDatabaseFlags(new Command(name))
    .description(description)
    .option('--json', 'print the result as JSON');
}

type Act<Result> = Parameters<typeof import('@proofmark/server').asOperator<Result>>[2];

export async function operate<Result>(flags: Flags, act: Act<Result>): Promise<Result> {
  const { asOperator } = await import('@proofmark/server');
  const { settings } = await settingsOf(flags);
  return asOperator(settings, printNotice, act);
}
