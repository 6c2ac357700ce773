/**
 * Requests with their expected calls, written before the model was run on them. Some are easy;
 * others cannot be solved by matching words. `none` means that no tool of the server can help.
 */
import type { LabelledServer } from './labelled-servers.ts';

export interface LabelledRequest {
  readonly server: LabelledServer;
  readonly request: string;
  readonly tool: string | 'none';
  readonly input: Readonly<Record<string, unknown>>;
}

type Row = readonly [request: string, tool: string, input?: Readonly<Record<string, unknown>>];

const rows: Readonly<Record<LabelledServer, readonly Row[]>> = {
  weather: [
    ['What is the weather in Paris right now?', 'current_weather', { city: 'Paris' }],
    [
      'Show me the current weather in New York in imperial units.',
      'current_weather',
      { city: 'New York', units: 'imperial' },
    ],
    ['Give me a forecast for Berlin for the next 5 days.', 'forecast', { city: 'Berlin', days: 5 }],
    ['forecast city: Oslo, days: 3', 'forecast', { city: 'Oslo', days: 3 }],
    [
      'I need the three day forecast for Lisbon in metric units',
      'forecast',
      { city: 'Lisbon', days: 3, units: 'metric' },
    ],
    [
      'Are there any severe weather alerts for Bavaria?',
      'weather_alerts',
      { region: 'Bavaria', severity: 'severe' },
    ],
    [
      'Which storm warnings are in force in the region Tuscany?',
      'weather_alerts',
      { region: 'Tuscany' },
    ],
    ['How is the air quality in Delhi?', 'air_quality', { city: 'Delhi' }],
    ['how bad is the pollution in mexico city', 'air_quality', { city: 'mexico city' }],
    ['Will I need an umbrella in Glasgow this afternoon?', 'current_weather', { city: 'Glasgow' }],
    ['What will it be like in Rome over the weekend?', 'forecast', { city: 'Rome', days: 2 }],
    ['Book me a table for two at an Italian restaurant.', 'none'],
    ['Translate "good morning" into Japanese.', 'none'],
  ],
  issues: [
    [
      'Create an issue with the title "Login fails on Safari".',
      'create_issue',
      { title: 'Login fails on Safari' },
    ],
    [
      'Open a new issue "Typo on the start page" with low priority.',
      'create_issue',
      { title: 'Typo on the start page', priority: 'low' },
    ],
    [
      'Create an urgent issue titled "Database is down" and assign it to Mara',
      'create_issue',
      { title: 'Database is down', priority: 'urgent', assignee: 'Mara' },
    ],
    ['Close issue BUG-42.', 'close_issue', { issueId: 'BUG-42' }],
    ['BUG-77 is done, please close it', 'close_issue', { issueId: 'BUG-77' }],
    ['Search issues for memory leak', 'search_issues', { query: 'memory leak' }],
    [
      'Search the open issues for "timeout", limit 10.',
      'search_issues',
      { query: 'timeout', state: 'open', limit: 10 },
    ],
    [
      'Comment on issue BUG-9: comment: Works again since Monday',
      'comment_on_issue',
      { issueId: 'BUG-9', comment: 'Works again since Monday' },
    ],
    [
      'Write the comment "Cannot reproduce this" on BUG-51',
      'comment_on_issue',
      { issueId: 'BUG-51', comment: 'Cannot reproduce this' },
    ],
    ['Assign BUG-12 to Tom', 'assign_issue', { issueId: 'BUG-12', assignee: 'Tom' }],
    ['Let Priya take care of BUG-30.', 'assign_issue', { issueId: 'BUG-30', assignee: 'Priya' }],
    [
      'Create an issue "Slow search" with labels: performance, search',
      'create_issue',
      { title: 'Slow search', labels: ['performance', 'search'] },
    ],
    ['What did we ship last quarter?', 'none'],
  ],
  shop: [
    ['Find products for camping', 'find_products', { query: 'camping' }],
    [
      'Search for "rain jacket" with a max price of 80',
      'find_products',
      { query: 'rain jacket', maxPrice: 80 },
    ],
    [
      'Find "head lamp" products that are in stock.',
      'find_products',
      { query: 'head lamp', inStock: true },
    ],
    ['What is the status of order A1009?', 'order_status', { orderId: 'A1009' }],
    ['Where is my order 55512?', 'order_status', { orderId: '55512' }],
    ['Please cancel order A1010.', 'cancel_order', { orderId: 'A1010' }],
    [
      'I changed my mind about order A1011, stop it before it ships',
      'cancel_order',
      { orderId: 'A1011' },
    ],
    ['Add 3 of SKU-778 to my cart', 'add_to_cart', { sku: 'SKU-778', quantity: 3 }],
    ['Put two SKU-12 into the shopping cart', 'add_to_cart', { sku: 'SKU-12', quantity: 2 }],
    [
      'Refund order A1012, amount: 25.50, it arrived damaged',
      'refund_order',
      { orderId: 'A1012', amount: 25.5, reason: 'damaged' },
    ],
    ['Pay 19.99 back for order A1013', 'refund_order', { orderId: 'A1013', amount: 19.99 }],
    ['Do you have anything warm to sleep in?', 'find_products', { query: 'warm to sleep in' }],
    ['Who won the match yesterday?', 'none'],
  ],
  calendar: [
    [
      'Create an event "Team lunch" on 2026-05-04.',
      'create_event',
      { title: 'Team lunch', date: '2026-05-04' },
    ],
    [
      'Put "Dentist" into my calendar on 12 June 2026, 45 minutes, private',
      'create_event',
      { title: 'Dentist', date: '2026-06-12', durationMinutes: 45, isPrivate: true },
    ],
    [
      'Create the event "Review" on March 3, 2026 with ana@example.com and bo@example.com',
      'create_event',
      { title: 'Review', date: '2026-03-03', attendees: ['ana@example.com', 'bo@example.com'] },
    ],
    [
      'List the events from 2026-01-01 to 2026-01-31',
      'list_events',
      { startDate: '2026-01-01', endDate: '2026-01-31' },
    ],
    [
      'Which events do I have between 2026-02-01 and 2026-02-07?',
      'list_events',
      { startDate: '2026-02-01', endDate: '2026-02-07' },
    ],
    ['Delete the event evt-991', 'delete_event', { eventId: 'evt-991' }],
    [
      'Find free time of 30 minutes on 2026-07-01',
      'find_free_time',
      { date: '2026-07-01', durationMinutes: 30 },
    ],
    [
      'When is everybody free for an hour on 2026-07-02?',
      'find_free_time',
      { date: '2026-07-02', durationMinutes: 60 },
    ],
    [
      'Send the invitation for evt-17 to lee@example.com',
      'send_invitation',
      { eventId: 'evt-17', email: 'lee@example.com' },
    ],
    ['Remove evt-18 from my calendar', 'delete_event', { eventId: 'evt-18' }],
    ['Am I busy tomorrow?', 'none'],
    ['How tall is Mont Blanc?', 'none'],
  ],
  library: [
    ['Search books about "deep sea fishing"', 'search_books', { query: 'deep sea fishing' }],
    ['Find german books by Juli Zeh', 'search_books', { query: 'Juli Zeh', language: 'german' }],
    [
      'do you have something about bees in french',
      'search_books',
      { query: 'bees', language: 'french' },
    ],
    ['Reserve book B100 for reader R7', 'reserve_book', { bookId: 'B100', readerId: 'R7' }],
    [
      'Reader R8 would like to reserve the book B205',
      'reserve_book',
      { bookId: 'B205', readerId: 'R8' },
    ],
    ['Renew loan L-33 for 2 weeks', 'renew_loan', { loanId: 'L-33', weeks: 2 }],
    ['I would like to keep L-34 four weeks longer', 'renew_loan', { loanId: 'L-34', weeks: 4 }],
    [
      'What are the opening hours of the branch Riverside?',
      'opening_hours',
      { branch: 'Riverside' },
    ],
    ['When is the Old Town branch open?', 'opening_hours', { branch: 'Old Town' }],
    ['Pay the fine of 3.20 for reader R9', 'pay_fine', { readerId: 'R9', amount: 3.2 }],
    ['Reader R10 settles what they owe, 5 euros', 'pay_fine', { readerId: 'R10', amount: 5 }],
    ['Play some music.', 'none'],
  ],
};

export const labelledSet: readonly LabelledRequest[] = Object.entries(rows).flatMap(
  ([server, requests]) =>
    requests.map(([request, tool, input = {}]) => ({
      server: server as LabelledServer,
      request,
      tool,
      input,
    })),
);
