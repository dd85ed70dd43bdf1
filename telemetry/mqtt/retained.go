package mqtt

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// The stream in which the embedded broker keeps retained messages. An MQTT
// 3.1.1 broker clears the retain flag on its way to subscribers that are there
// already, so the flag alone does not tell that a command was sent to be kept.
const (
	retainedStream  = "$MQTT_rmsgs"
	retainedSubject = "$MQTT.rmsgs."
	retainedLimit   = 500 * time.Millisecond
)

// Keeps reports whether the broker keeps this very payload for the topic. The
// server stores a retained message before it passes it on, so at the time a
// subscriber sees the message the answer is already right.
func (b *Broker) Keeps(topic string, payload []byte) bool {
	subject := retainedSubject + strings.ReplaceAll(topic, "/", ".")
	ask, err := json.Marshal(map[string]string{"last_by_subj": subject})
	if err != nil {
		return false
	}
	msg, err := b.conn.Request("$JS.API.STREAM.MSG.GET."+retainedStream, ask, retainedLimit)
	if err != nil {
		return false
	}
	var got struct {
		Message struct {
			Data []byte `json:"data"`
		} `json:"message"`
	}
	return json.Unmarshal(msg.Data, &got) == nil && len(got.Message.Data) > 0 &&
		bytes.Equal(got.Message.Data, payload)
}
