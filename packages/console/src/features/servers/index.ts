export { addRow, type HeaderRow, headersOf } from './header-rows.ts';
export { readServerSearch } from './server-sections.ts';
export { ServerTable } from './server-table.tsx';
