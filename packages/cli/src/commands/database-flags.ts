import type { Command } from 'commander';

export function withDatabaseFlags(command: Command): Command {
  return command
    .option(
      '--data-dir <folder>',
      'folder of the embedded database and the key (default: .proofmark)',
    )
    .option('--database-url <url>', 'address of your PostgreSQL 15 or later (default: embedded)');
}
