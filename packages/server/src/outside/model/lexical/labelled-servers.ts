/** Five small servers with realistic tools, used only by the labelled test requests. */
import type { ModelTool } from '../model-gateway.ts';

export type LabelledServer = 'weather' | 'issues' | 'shop' | 'calendar' | 'library';

const text = (description?: string) => ({ type: 'string', ...(description && { description }) });
const choice = (...values: string[]) => ({ type: 'string', enum: values });
const whole = (description?: string) => ({ type: 'integer', ...(description && { description }) });
const date = (description?: string) => ({ ...text(description), format: 'date' });
const yesNo = (description?: string) => ({ type: 'boolean', ...(description && { description }) });

function tool(
  name: string,
  description: string,
  required: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
): ModelTool {
  const properties = { ...required, ...optional };
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: Object.keys(required) },
  };
}

export const labelledServers: Readonly<Record<LabelledServer, readonly ModelTool[]>> = {
  weather: [
    tool(
      'current_weather',
      'The weather at a place right now: temperature, wind and rain.',
      { city: text('The city.') },
      { units: choice('metric', 'imperial') },
    ),
    tool(
      'forecast',
      'The forecast for the coming days at a place.',
      { city: text('The city.'), days: whole('How many days, 1 to 14.') },
      { units: choice('metric', 'imperial') },
    ),
    tool(
      'weather_alerts',
      'Warnings that are in force for a region, such as storms or floods.',
      { region: text('The region.') },
      { severity: choice('minor', 'moderate', 'severe') },
    ),
    tool('air_quality', 'The air quality index and the pollution at a place.', {
      city: text('The city.'),
    }),
  ],
  issues: [
    tool(
      'create_issue',
      'Open a new issue in a project.',
      { title: text('A short title.') },
      {
        priority: choice('low', 'medium', 'high', 'urgent'),
        assignee: text('Who works on it.'),
        labels: { type: 'array', items: { type: 'string' } },
      },
    ),
    tool('close_issue', 'Close an issue that is done.', { issueId: text('Such as BUG-12.') }),
    tool(
      'search_issues',
      'Search issues by text and state.',
      { query: text('What to look for.') },
      { state: choice('open', 'closed'), limit: whole('How many results at most.') },
    ),
    tool('comment_on_issue', 'Write a comment on an issue.', {
      issueId: text('Such as BUG-12.'),
      comment: text('The text of the comment.'),
    }),
    tool('assign_issue', 'Give an issue to a person.', {
      issueId: text('Such as BUG-12.'),
      assignee: text('The person.'),
    }),
  ],
  shop: [
    tool(
      'find_products',
      'Search the products on sale.',
      { query: text('What to look for.') },
      { maxPrice: { type: 'number', description: 'The highest price.' }, inStock: yesNo() },
    ),
    tool('order_status', 'Where an order is and when it arrives.', {
      orderId: text('The number of the order.'),
    }),
    tool('cancel_order', 'Cancel an order that was not shipped.', {
      orderId: text('The number of the order.'),
    }),
    tool('add_to_cart', 'Put a product into the shopping cart.', {
      sku: text('The number of the product.'),
      quantity: whole('How many.'),
    }),
    tool(
      'refund_order',
      'Pay money back for an order.',
      { orderId: text('The number of the order.'), amount: { type: 'number' } },
      { reason: choice('damaged', 'late', 'unwanted') },
    ),
  ],
  calendar: [
    tool(
      'create_event',
      'Put an event into the calendar.',
      { title: text('What it is called.'), date: date() },
      {
        durationMinutes: whole('How long, in minutes.'),
        attendees: { type: 'array', items: { type: 'string', format: 'email' } },
        isPrivate: yesNo(),
      },
    ),
    tool('list_events', 'List the events between two dates.', {
      startDate: date('The first day.'),
      endDate: date('The last day.'),
    }),
    tool('delete_event', 'Delete an event from the calendar.', { eventId: text() }),
    tool('find_free_time', 'Find a time when everybody is free for a meeting.', {
      date: date(),
      durationMinutes: whole('How long, in minutes.'),
    }),
    tool('send_invitation', 'Send the invitation to an event by mail.', {
      eventId: text(),
      email: { type: 'string', format: 'email' },
    }),
  ],
  library: [
    tool(
      'search_books',
      'Search the catalogue of books.',
      { query: text('Title, author or subject.') },
      { language: choice('english', 'german', 'french', 'spanish') },
    ),
    tool('reserve_book', 'Reserve a book for a reader.', {
      bookId: text('The id of the book.'),
      readerId: text('The id of the reader.'),
    }),
    tool('renew_loan', 'Keep a borrowed book for longer.', {
      loanId: text('The id of the loan.'),
      weeks: whole('How many weeks more.'),
    }),
    tool('opening_hours', 'When a branch is open.', { branch: text('The branch.') }),
    tool('pay_fine', 'Pay a fine for a book that came back late.', {
      readerId: text('The id of the reader.'),
      amount: { type: 'number' },
    }),
  ],
};
