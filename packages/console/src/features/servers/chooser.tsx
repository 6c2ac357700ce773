/**
 * A list of a server's tools, prompts or resources, beside the details of the chosen item. The
 * choice is in the page's address. On a phone, the details replace the list and contain a link
 * back.
 */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ServerIds, ServerList } from '../../kit/data/server-lists.ts';
import { FilterBox, shortListLength } from '../../kit/filter-box.tsx';
import { CallFailure } from './call-failure.tsx';
import type { ServerSearch } from './server-sections.ts';

export interface Choice {
  /** The item's name or URI. */
  readonly id: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

const shownAtOnce = 100;

export function Chooser<Item>(props: {
  ids: ServerIds;
  section: NonNullable<ServerSearch['section']>;
  /** The word for the items, such as "tools". */
  what: string;
  list: ServerList<Item>;
  choiceOf: (item: Item) => Choice;
  empty: string;
}) {
  const { list, what } = props;
  const [filter, setFilter] = useState('');
  const [shownCount, setShownCount] = useState(shownAtOnce);
  if (list.items === undefined) {
    return list.error === null ? (
      <p className="loading" role="status">
        Asking the server for its {what}…
      </p>
    ) : (
      <CallFailure
        error={list.error}
        ids={props.ids}
        what={what}
        busy={list.isReading}
        onRetry={list.readAgain}
      />
    );
  }
  const wanted = filter.trim().toLowerCase();
  const found = list.items
    .map(props.choiceOf)
    .filter((choice) =>
      `${choice.id} ${choice.title ?? ''} ${choice.description ?? ''}`
        .toLowerCase()
        .includes(wanted),
    );
  if (list.items.length === 0 && !list.hasMore) {
    return (
      <div className="panel empty">
        <h3>No {what}</h3>
        <p>{props.empty}</p>
      </div>
    );
  }
  return (
    <div className="choices">
      {list.items.length > shortListLength && (
        <FilterBox
          label={`Filter ${what}`}
          value={filter}
          found={`${found.length} of ${list.items.length}`}
          onChange={setFilter}
        />
      )}
      <ul aria-label={what}>
        {found.slice(0, shownCount).map((choice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a server may name two things alike.
          <li key={`${index} ${choice.id}`}>
            <ChoiceLink {...props} choice={choice} />
          </li>
        ))}
      </ul>
      <More
        hidden={found.length - shownCount}
        what={what}
        list={list}
        onShow={() => setShownCount(shownCount + shownAtOnce)}
      />
      {list.error !== null && <CallFailure error={list.error} ids={props.ids} />}
    </div>
  );
}

function ChoiceLink(props: {
  ids: ServerIds;
  section: NonNullable<ServerSearch['section']>;
  choice: Choice;
}) {
  const { id, title, description } = props.choice;
  return (
    <Link
      to="/projects/$projectId/servers/$serverId"
      params={props.ids}
      search={{ section: props.section, item: id }}
      activeOptions={{ exact: true, includeSearch: true }}
      resetScroll={false}
    >
      <code>{short(id, 120)}</code>
      {title !== undefined && title !== id && (
        <span className="choice-title">{short(title, 80)}</span>
      )}
      {description !== undefined && <span className="choice-text">{short(description, 160)}</span>}
    </Link>
  );
}

function More<Item>(props: {
  hidden: number;
  what: string;
  list: ServerList<Item>;
  onShow: () => void;
}): ReactNode {
  if (props.hidden > 0) {
    return (
      <button type="button" className="small" onClick={props.onShow}>
        Show more ({props.hidden} not shown)
      </button>
    );
  }
  if (!props.list.hasMore) return null;
  return (
    <p className="more">
      <button
        type="button"
        className="small"
        disabled={props.list.isReading}
        onClick={props.list.readMore}
      >
        Load more
      </button>{' '}
      <span className="hint">The server has more {props.what}.</span>
    </p>
  );
}

function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
