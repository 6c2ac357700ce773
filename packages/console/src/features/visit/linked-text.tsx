import { piecesOf } from './text-links.ts';

/** Renders text with its line breaks. Addresses become links with the target's host beside them. */
export function LinkedText({ text }: { text: string }) {
  return (
    <p className="as-written">
      {piecesOf(text).map((piece, at) =>
        piece.kind === 'text' ? (
          piece.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change.
          <span key={at}>
            <a href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
              {piece.text}
            </a>{' '}
            <span className="host">({piece.host})</span>
          </span>
        ),
      )}
    </p>
  );
}
