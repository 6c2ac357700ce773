import { type ReactNode, useId, useState } from 'react';
import { FilterBox, shortListLength } from './filter-box.tsx';
import { Empty, QueryView } from './query-view.tsx';
import { Table } from './table.tsx';

export function ListSection<Item extends { id: string; name: string }>(props: {
  title: string;
  what: string;
  intro: string;
  query: Parameters<typeof QueryView<Item[]>>[0]['query'];
  /** Renders the link that adds an item. Undefined for users who may not add one. */
  add: ((isFirst: boolean) => ReactNode) | undefined;
  /** Shown to users who may not add an item: the members who may. */
  whoAdds: string;
  empty: string;
  extra?: ReactNode;
  columns: readonly string[];
  row: (item: Item) => ReactNode;
}) {
  const heading = useId();
  const [filter, setFilter] = useState('');
  const isEmpty = props.query.data?.length === 0;
  return (
    <section aria-labelledby={heading}>
      <div className="section-head">
        <h2 id={heading}>{props.title}</h2>
        {props.query.data !== undefined && !isEmpty && props.add?.(false)}
      </div>
      <p className="intro">{props.intro}</p>
      {props.extra}
      <QueryView query={props.query}>
        {(all) => {
          const wanted = filter.trim().toLowerCase();
          const shown = all.filter(({ name }) => name.toLowerCase().includes(wanted));
          if (all.length === 0) {
            return (
              <Empty title={`No ${props.what} yet`}>
                <p>{props.empty}</p>
                {props.add?.(true) ?? <p className="hint">{props.whoAdds}</p>}
              </Empty>
            );
          }
          return (
            <>
              {all.length > shortListLength && (
                <FilterBox
                  label={`Filter ${props.what}`}
                  value={filter}
                  found={`${shown.length} of ${all.length} ${props.what}`}
                  onChange={setFilter}
                />
              )}
              <Table columns={props.columns}>{shown.map(props.row)}</Table>
            </>
          );
        }}
      </QueryView>
    </section>
  );
}
