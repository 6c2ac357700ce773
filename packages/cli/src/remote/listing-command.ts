/**
 * The `list` subcommand of several resources. It prints columns or JSON, and a hint if the list is
 * empty.
 */
import { type ListPage, type PageCursor, readAllPages } from '@proofmark/client';
import type { Command } from 'commander';
import { printColumns, printJson, printLine } from '../output.ts';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from './connection.ts';
import { exitCodes } from './exit-codes.ts';
import { terminalAbility } from './terminal.ts';

export interface Listing<Item> {
  readonly description: string;
  readonly readPage: (connection: Connection, page: PageCursor) => Promise<ListPage<Item>>;
  /** The hint for an empty list. */
  readonly none: string;
  readonly header: readonly string[];
  /**
   * Returns the cells of a row. If the row is wider than the terminal, the last cell moves to its
   * own line and is cut if necessary.
   */
  readonly row: (item: Item, ascii: boolean) => readonly string[];
}

export function listingCommand<Item>(listing: Listing<Item>): Command {
  return remoteCommand('list')
    .description(listing.description)
    .option('--json', 'print them as JSON')
    .action((flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const connection = await connectToService(flags);
        const items = await readAllPages((page) => listing.readPage(connection, page));
        const { ascii, width } = terminalAbility();
        if (flags.json) printJson(items);
        else if (items.length === 0) printLine(listing.none);
        else {
          const rows = items.map((item) => listing.row(item, ascii));
          printColumns(
            listing.header,
            rows.map((row) => row.map((cell) => cutTo(cell, width - 2))),
          );
        }
        return exitCodes.passed;
      }),
    );
}

export function cutTo(text: string, maxLength: number): string {
  const signs = [...text];
  return signs.length <= maxLength ? text : `${signs.slice(0, maxLength - 3).join('')}...`;
}
