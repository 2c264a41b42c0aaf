/**
 * Says once why, how long and until when requests wait, though several wait together.
 * @param name of the forge
 * @param advice to end with, after a blank; empty: none
 */
export function waitAnnouncer(
  name: string,
  advice: string,
  onMessage: (message: string) => void,
): (reason: string, seconds: number) => void {
  let announcedUntil = 0;
  return (reason, seconds) => {
    const until = Date.now() + seconds * 1000;
    if (until < announcedUntil + 2000) return;
    announcedUntil = until;
    const duration = seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
    const time = new Date(until).toISOString().slice(11, 19);
    onMessage(`${name}: ${reason}; waiting ${duration}, until ${time} UTC.${advice}`);
  };
}
