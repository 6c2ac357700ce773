import type { Command } from 'commander';

/** Which database a command works on; left out, it is the embedded one of the data directory. */
export function withDatabaseFlags(command: Command): Command {
  return command
    .option('--data-dir <folder>', 'where the embedded database and the key live (.proofmark)')
    .option('--database-url <url>', 'a PostgreSQL 15 or later to use instead');
}
