/**
 * A small MCP server to look at: a bookshop with three tools and a fixed stock. It speaks over
 * standard input and output, so it opens no port, and it answers the same every time.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '@proofmark/contract';
import * as z from 'zod';

export function runSampleServer(): void {
  serveStdio(() => {
    const server = new McpServer({ name: 'sample-bookshop', version });
    server.registerTool(
      'search_books',
      {
        description: 'Search the bookshop by words of the title or the author.',
        inputSchema: z.object({ query: z.string().describe('Words to look for.') }),
      },
      ({ query }) => answer(books.filter((book) => matches(book, query))),
    );
    server.registerTool(
      'get_book',
      {
        description: 'Read one book by its number: title, author, price and copies in stock.',
        inputSchema: z.object({ bookId: z.number().int().describe('The number of the book.') }),
      },
      ({ bookId }) => {
        const book = books.find((one) => one.bookId === bookId);
        return book === undefined ? failure(`There is no book ${bookId}.`) : answer(book);
      },
    );
    server.registerTool(
      'order_book',
      {
        description: 'Order copies of a book. It fails when there are not enough in stock.',
        inputSchema: z.object({
          bookId: z.number().int(),
          copies: z.number().int().min(1).max(10),
        }),
      },
      ({ bookId, copies }) => {
        const book = books.find((one) => one.bookId === bookId);
        if (book === undefined) return failure(`There is no book ${bookId}.`);
        if (book.copies < copies) return failure(`Only ${book.copies} copies are in stock.`);
        return answer({ orderId: `order-${bookId}-${copies}`, total: book.price * copies });
      },
    );
    return server;
  });
}

const books = [
  { bookId: 1, title: 'The Quiet Compiler', author: 'Ida Moreau', price: 24, copies: 5 },
  { bookId: 2, title: 'Tides and Tables', author: 'Jon Vale', price: 18, copies: 0 },
  { bookId: 3, title: 'A Field Guide to Queues', author: 'Ida Moreau', price: 31, copies: 2 },
];

function matches(book: (typeof books)[number], query: string): boolean {
  const text = `${book.title} ${book.author}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function answer(value: unknown) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(value) }] };
}

function failure(message: string) {
  return { content: [{ type: 'text' as const, text: message }], isError: true };
}
