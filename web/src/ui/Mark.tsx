/** The mark: kelp with its holdfast, the root-like organ that anchors it to rock. */

export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path
        d="M15.800 14.500C11 12.800 8.700 8.600 9.300 3c4.500 2 6.900 6 6.500 11.500zM15.900 14.500c-.3-4.300 2.200-7.600 7-8.800.4 4.700-2.300 8-7 8.800z"
        fill="var(--mark)"
        opacity="0.45"
      />
      <path
        d="M15.900 14c-1.500 5.500-8 5.200-10.900 12.700M15.900 14c-.5 5.200-3.500 6.500-4.300 13M15.900 14c.6 5.200 3.800 6.500 4.700 13M15.900 14c1.700 5.500 8.300 5.200 11.200 12.700"
        stroke="var(--mark)"
        strokeWidth="2.3"
        strokeLinecap="round"
      />
    </svg>
  );
}
