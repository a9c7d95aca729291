/**
 * Waits for a turn of the event loop, which handles timers, messages and signals; a timer would wait 4 ms each time.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
