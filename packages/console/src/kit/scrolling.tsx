/**
 * A scrolling area. When its content is too large it can be reached and scrolled by keys, and has a
 * label for screen readers.
 */
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';

export function Scrolling(props: {
  label: string;
  /** A `section` has its label even if nothing is hidden. */
  as?: 'pre' | 'section';
  className?: string;
  children: ReactNode;
}) {
  const { as: Tag = 'pre', label, className, children } = props;
  const box = useRef<HTMLElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const measure = useCallback(() => setScrolls(isTooSmall(box.current as HTMLElement)), []);
  // The size of a full area does not change with its content, so it is measured after each render
  // too.
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(box.current as HTMLElement);
    return () => observer.disconnect();
  }, [measure]);
  return (
    <Tag
      ref={box as never}
      className={className}
      {...((scrolls || Tag === 'section') && { role: 'region', 'aria-label': label })}
      {...(scrolls && { tabIndex: 0 })}
    >
      {children}
    </Tag>
  );
}

/** Differences below one pixel are rounding. */
function isTooSmall({
  scrollHeight,
  clientHeight,
  scrollWidth,
  clientWidth,
}: HTMLElement): boolean {
  return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;
}
