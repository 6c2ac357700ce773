import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ServerIds, ServerList } from '../../kit/data/server-lists.ts';
import type { ServerSearch } from './server-sections.ts';

export function SplitSection(props: {
  title: string;
  /** The word for one item, such as "tool". */
  what: string;
  ids: ServerIds;
  section: NonNullable<ServerSearch['section']>;
  lists: readonly ServerList<unknown>[];
  item: string | undefined;
  detail: ReactNode;
  children: ReactNode;
}) {
  const isRead = props.lists.some(({ items }) => items !== undefined);
  const isReading = props.lists.some((list) => list.isReading);
  const isSplit = props.item !== undefined && isRead;
  const id = `section-${props.section}`;
  return (
    <section aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{props.title}</h2>
        {isRead && (
          <div className="actions">
            <button
              type="button"
              className="small"
              disabled={isReading}
              onClick={() => {
                for (const list of props.lists) list.readAgain();
              }}
            >
              Read again
            </button>
          </div>
        )}
      </div>
      <div className={isSplit ? 'split chosen' : 'split'}>
        <div className="split-list">{props.children}</div>
        {isSplit && (
          <div className="split-detail">
            <p className="back">
              <Link
                to="/projects/$projectId/servers/$serverId"
                params={props.ids}
                search={{ section: props.section }}
              >
                All {props.title.toLowerCase()}
              </Link>
            </p>
            {props.detail ?? (
              <p className="panel">
                No {props.what} of this name is in the list that was read so far.
              </p>
            )}
          </div>
        )}
      </div>
    </section>
  );
}
