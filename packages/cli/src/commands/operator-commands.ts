/**
 * Commands for who runs the service, or starts one for the time of a test: they work on its data, so they need the
 * server's code.
 */
import type { Command } from 'commander';
import { adminCommand } from './admin.ts';
import { backupCommand } from './backup.ts';
import { configCommand } from './config.ts';
import { initCommand } from './init.ts';
import { migrateCommand } from './migrate.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { ownService } from './test/own-service.ts';
import { testCommand } from './test.ts';
import { workCommand } from './work.ts';

export function operatorCommands(): Command[] {
  return [
    testCommand(ownService),
    initCommand(ownService),
    serveCommand(),
    workCommand(),
    migrateCommand(),
    adminCommand(),
    backupCommand(),
    restoreCommand(),
    configCommand(),
  ];
}
