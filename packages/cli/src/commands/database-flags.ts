import type { Command } from 'commander';

/** Which database a command works on; left out, it is the embedded one of the data directory. */
export function withDatabaseFlags(command: Command): Command {
  return command
    .option(
      '--data-dir <folder>',
      'folder of the embedded database and the key (default: .proofmark)',
    )
    .option('--database-url <url>', 'address of your PostgreSQL 15 or later (default: embedded)');
}
