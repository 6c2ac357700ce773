/** Commands for who runs the service: they work on its data, so they need the server's code. */
import type { Command } from 'commander';
import { adminCommand } from './admin.ts';
import { backupCommand } from './backup.ts';
import { configCommand } from './config.ts';
import { migrateCommand } from './migrate.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { workCommand } from './work.ts';

export function operatorCommands(): Command[] {
  return [
    serveCommand(),
    workCommand(),
    migrateCommand(),
    adminCommand(),
    backupCommand(),
    restoreCommand(),
    configCommand(),
  ];
}
