/**
 * A sample MCP server: a bookshop with a fixed stock and constant answers. Three tools have
 * deliberate faults. `read_terms` does not mention returns in its description, `opening_hours`
 * fails for Sunday, and the widget of `show_order_form` shows nothing for a sold-out book.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { version } from '@proofmark/contract';
import * as z from 'zod';
import { orderForm, orderFormUri } from './order-form.ts';

export function createSampleServer(): McpServer {
  const server = new McpServer({ name: 'sample-bookshop', title: 'Sample bookshop', version });
  offerBooks(server);
  offerShop(server);
  offerOrderForm(server);
  return server;
}

const reading = { readOnlyHint: true };

function offerBooks(server: McpServer): void {
  server.registerTool(
    'search_books',
    {
      description: 'Search the bookshop by words of the title or the author.',
      inputSchema: z.object({ query: z.string().describe('Words to look for.') }),
      annotations: reading,
    },
    ({ query }) => answer(books.filter((book) => matches(book, query))),
  );
  server.registerTool(
    'get_book',
    {
      description: 'Read one book by its number: title, author, price and copies in stock.',
      inputSchema: z.object({ bookId: z.number().int().describe('The number of the book.') }),
      annotations: reading,
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
}

function offerShop(server: McpServer): void {
  server.registerTool(
    'opening_hours',
    {
      description: 'Tell when the bookshop opens and closes on a day.',
      inputSchema: z.object({ day: z.enum(days) }),
      annotations: reading,
    },
    ({ day }) => {
      if (day === 'Sunday') return failure('Cannot read the hours of Sunday: the entry is empty.');
      return answer({ day, opens: '09:00', closes: day === 'Saturday' ? '14:00' : '18:00' });
    },
  );
  server.registerTool(
    'read_terms',
    {
      description: 'Read one section of the document.',
      inputSchema: z.object({ section: z.number().int().min(1).max(terms.length) }),
      annotations: reading,
    },
    ({ section }) => answer({ section, text: terms[section - 1] }),
  );
}

function offerOrderForm(server: McpServer): void {
  const mimeType = 'text/html;profile=mcp-app';
  server.registerResource('Order form', orderFormUri, { mimeType }, () => ({
    contents: [{ uri: orderFormUri, mimeType, text: orderForm }],
  }));
  server.registerTool(
    'show_order_form',
    {
      description: 'Show the form in which a person fills in an order.',
      inputSchema: z.object({ bookId: z.number().int().describe('The number of the book.') }),
      annotations: reading,
      _meta: { ui: { resourceUri: orderFormUri } },
    },
    ({ bookId }) => {
      const book = books.find((one) => one.bookId === bookId);
      if (book === undefined) return failure(`There is no book ${bookId}.`);
      if (book.copies === 0) return answer({ soldOut: book.title });
      return { ...answer(book), structuredContent: { book } };
    },
  );
}

const books = [
  { bookId: 1, title: 'The Quiet Compiler', author: 'Ida Moreau', price: 24, copies: 5 },
  { bookId: 2, title: 'Tides and Tables', author: 'Jon Vale', price: 18, copies: 0 },
  { bookId: 3, title: 'A Field Guide to Queues', author: 'Ida Moreau', price: 31, copies: 2 },
];

const days = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

const terms = [
  'Orders are paid when the book is handed over.',
  'A book may be returned within 30 days, with its receipt.',
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
