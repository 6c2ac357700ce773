import type { Command } from 'commander';
import { printNotice } from '../../../output.ts';
import { settingsOf } from '../../../settings.ts';
import { type Flags, operatorCommand } from '../operate.ts';

export function modelOperatorCommand(name: string, description: string): Command {
  return operatorCommand(name, description).option(
    '--organization <id or name>',
    'only for this organization (default: for all)',
  );
}

type Act<Result> = Parameters<typeof import('@proofmark/server').asModelOperator<Result>>[2];

export async function operateModels<Result>(flags: Flags, act: Act<Result>): Promise<Result> {
  const { asModelOperator } = await import('@proofmark/server');
  const { settings } = await settingsOf(flags);
  return asModelOperator(settings, printNotice, act);
}

export function organizationOf({ organization }: Flags): string | undefined {
  return organization === undefined ? undefined : String(organization);
}
