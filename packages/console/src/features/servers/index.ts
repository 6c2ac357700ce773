/** The exports of this feature for other features. */
export { addRow, type HeaderRow, headersOf } from './header-rows.ts';
export { readServerSearch } from './server-sections.ts';
export { ServerTable } from './server-table.tsx';
