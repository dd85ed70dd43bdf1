// The one WebSocket: orders out, frames and messages in. It reconnects by itself.

export class Link extends EventTarget {
  constructor(url) {
    super();
    this.url = url;
    this.next = 1;
    this.waiting = new Map();
    this.bytes = 0;
    this.frames = 0;
    this.up = false;
    this.open();
  }

  open() {
    const ws = new WebSocket(this.url);
    ws.binaryType = 'arraybuffer';
    this.ws = ws;
    ws.onopen = () => { this.up = true; this.delay = 250; this.emit('up', true); };
    ws.onmessage = (e) => this.take(e.data);
    ws.onclose = () => {
      this.up = false;
      this.emit('up', false);
      for (const w of this.waiting.values()) w({ accepted: false, reason: 'the connection was lost' });
      this.waiting.clear();
      this.delay = Math.min(5000, (this.delay || 250) * 1.6);
      setTimeout(() => this.open(), this.delay);
    };
  }

  take(data) {
    if (typeof data !== 'string') {
      this.bytes += data.byteLength;
      this.frames++;
      this.emit('frame', data);
      return;
    }
    this.bytes += data.length;
    const m = JSON.parse(data);
    if (m.type === 'reply') {
      const w = this.waiting.get(m.id);
      this.waiting.delete(m.id);
      w?.(m);
    }
    this.emit(m.type, m);
  }

  emit(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  // ask sends an order and returns the answer to it, accepted or not.
  ask(what, values) {
    if (!this.up) return Promise.resolve({ accepted: false, topic: what, reason: 'not connected' });
    const id = this.next++;
    this.ws.send(JSON.stringify({ id, do: what, with: values, as: this.holder || undefined }));
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }
}
