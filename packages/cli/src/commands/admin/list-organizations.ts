import type { Command } from 'commander';
import { day, printColumns, printJson } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function listOrganizationsCommand(): Command {
  return operatorCommand('list-organizations', 'list all organizations').action(
    async (flags: Flags) => {
      const organizations = await operate(flags, (operator) => operator.listOrganizations());
      if (flags['json']) return printJson(organizations);
      printColumns(
        ['ID', 'SINCE', 'MEMBERS', 'PROJECTS', 'NAME'],
        organizations.map((one) => [
          one.id,
          day(one.createdAt),
          String(one.members),
          String(one.projects),
          one.name,
        ]),
      );
    },
  );
}
