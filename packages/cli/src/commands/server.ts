import { Command } from 'commander';
import { serverAddCommand } from './server/add.ts';
import { serverEditCommand } from './server/edit.ts';
import { serverExportCommand } from './server/export.ts';
import { serverListCommand } from './server/list.ts';
import { serverRemoveCommand } from './server/remove.ts';
import { serverShowCommand } from './server/show.ts';

export function serverGroup(): Command {
  const group = new Command('server').description(
    'save, list, show, edit, remove and export servers',
  );
  for (const command of [
    serverAddCommand(),
    serverListCommand(),
    serverShowCommand(),
    serverEditCommand(),
    serverRemoveCommand(),
    serverExportCommand(),
  ]) {
    group.addCommand(command);
  }
  return group;
}
