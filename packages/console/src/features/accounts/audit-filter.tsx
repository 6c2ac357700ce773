import { type AuditKind, auditKinds, auditKindWords } from '@proofmark/domain';
import { useState } from 'react';
import { Field } from '../../kit/field.tsx';
import { type AuditSearch, readAuditSearch } from './audit-search.ts';

export function AuditFilter(props: {
  search: AuditSearch;
  onSearch: (search: AuditSearch) => void;
}) {
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>({ ...props.search });
  const put = (name: string, value: string) => setDraft({ ...draft, [name]: value });
  const isFiltered = Object.keys(props.search).length > 0;
  return (
    <form
      className="audit-filter"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSearch(readAuditSearch(draft));
      }}
    >
      <Field label="Kind">
        {(control) => (
          <select
            {...control}
            value={draft['kind'] ?? ''}
            onChange={(event) => put('kind', event.target.value)}
          >
            <option value="">Everything</option>
            {auditKinds.map((kind: AuditKind) => (
              <option key={kind} value={kind}>
                {auditKindWords[kind]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Actor">
        {(control) => (
          <input
            {...control}
            placeholder="E-mail"
            value={draft['actor'] ?? ''}
            onChange={(event) => put('actor', event.target.value)}
          />
        )}
      </Field>
      <Field label="Subject">
        {(control) => (
          <input
            {...control}
            placeholder="Id"
            value={draft['resource'] ?? ''}
            onChange={(event) => put('resource', event.target.value)}
          />
        )}
      </Field>
      <Field label="From">
        {(control) => (
          <input
            {...control}
            type="date"
            value={draft['since'] ?? ''}
            onChange={(event) => put('since', event.target.value)}
          />
        )}
      </Field>
      <Field label="To">
        {(control) => (
          <input
            {...control}
            type="date"
            value={draft['until'] ?? ''}
            onChange={(event) => put('until', event.target.value)}
          />
        )}
      </Field>
      <div className="actions">
        <button type="submit">Filter</button>
        {isFiltered && (
          <button type="button" onClick={() => props.onSearch({})}>
            Clear
          </button>
        )}
      </div>
    </form>
  );
}
