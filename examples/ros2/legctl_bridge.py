#!/usr/bin/env python3
"""Join a rig run by legctl to ROS 2: /cmd_vel in, /joint_states, /odom and /tf out.

The conversions are plain functions at the top, free of ROS and of MQTT; the node
below only carries them. Run "legctl_bridge.py --check < state.json" to see what
they make of a state message without either.
"""

import json
import math
import sys

TTL = 0.5  # s: how long a twist stays good


def twist_command(linear, angular, lease=""):
    """Return the payload of cmd/twist for a geometry_msgs/Twist, given as (x, y, z) twice."""
    body = {
        "linear": {"x": linear[0], "y": linear[1], "z": 0.0},
        "angular": {"x": 0.0, "y": 0.0, "z": angular[2]},
        "ttl": TTL,
    }
    if lease:
        body["lease"] = lease
    return body


def quaternion(roll, pitch, yaw):
    """Return (x, y, z, w) of fixed-axis angles about x, y and z."""
    cr, sr = math.cos(roll / 2), math.sin(roll / 2)
    cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    return (
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    )


def joint_state(state):
    """Return names and angles of a state message; joints without a number are left out."""
    pairs = [(n, q) for n, q in sorted(state["joints"].items()) if q is not None]
    return [n for n, _ in pairs], [q for _, q in pairs]


def odometry(state):
    """Return (position, quaternion, linear, angular) of a state message."""
    seen = state.get("observed") or {}
    pose = seen.get("pose") or state["pose"]
    twist = seen.get("twist") or state["twist"]
    return (
        (pose["x"], pose["y"], pose["z"]),
        quaternion(pose["roll"], pose["pitch"], pose["yaw"]),
        (twist["vx"], twist["vy"], 0.0),
        (0.0, 0.0, twist["wz"]),
    )


def check():
    """Convert a state message from standard input and print it: a test without ROS."""
    state = json.load(sys.stdin)
    names, angles = joint_state(state)
    position, attitude, linear, angular = odometry(state)
    json.dump(
        {
            "twist": twist_command((0.1, 0.05, 0.0), (0.0, 0.0, 0.2), "ros"),
            "names": names, "angles": angles,
            "position": position, "quaternion": attitude, "linear": linear, "angular": angular,
        },
        sys.stdout,
    )


def main():
    """Run the node until it is interrupted."""
    import paho.mqtt.client as mqtt
    import rclpy
    from geometry_msgs.msg import TransformStamped, Twist
    from nav_msgs.msg import Odometry
    from rclpy.node import Node
    from sensor_msgs.msg import JointState
    from tf2_ros import TransformBroadcaster

    class Bridge(Node):
        """The node: parameters, publishers, and the MQTT client."""

        def __init__(self):
            super().__init__("legctl_bridge")
            self.rig = self.text("rig", "phantomx")
            self.lease = self.text("lease", "")
            self.odom_frame = self.text("odom_frame", "odom")
            self.base_frame = self.text("base_frame", "base_link")
            self.joints = self.create_publisher(JointState, "joint_states", 10)
            self.odom = self.create_publisher(Odometry, "odom", 10)
            self.tf = TransformBroadcaster(self)
            self.create_subscription(Twist, "cmd_vel", self.on_cmd_vel, 10)
            self.client = self.connect()
            if self.lease:
                self.create_timer(0.5, self.renew)

        def text(self, name, default):
            return self.declare_parameter(name, default).value

        def connect(self):
            # paho 2 asks for the version of its callbacks, paho 1 has none.
            version = getattr(mqtt, "CallbackAPIVersion", None)
            client = mqtt.Client(version.VERSION1) if version else mqtt.Client()
            user = self.text("user", "")
            if user:
                with open(self.text("password_file", ""), encoding="utf-8") as f:
                    client.username_pw_set(user, f.readline().rstrip("\r\n"))
            if self.declare_parameter("tls", False).value:
                client.tls_set(ca_certs=self.text("ca", "") or None)
            client.on_connect = self.on_connect
            client.on_message = self.on_message
            client.connect_async(self.text("broker", "127.0.0.1"), self.declare_parameter("port", 1883).value)
            client.loop_start()
            return client

        def command(self, word, body):
            self.client.publish(f"legctl/{self.rig}/cmd/{word}", json.dumps(body), qos=0)

        def on_connect(self, client, _userdata, _flags, code):
            self.get_logger().info(f"broker: {code}")
            client.subscribe([(f"legctl/{self.rig}/state", 0), (f"legctl/{self.rig}/reply", 1)])
            if self.lease:
                self.command("lease", {"action": "acquire", "holder": self.lease, "ttl": 2.0})

        def renew(self):
            self.command("lease", {"action": "renew", "holder": self.lease, "ttl": 2.0})

        def on_cmd_vel(self, msg):
            linear, angular = msg.linear, msg.angular
            self.command("twist", twist_command((linear.x, linear.y, linear.z), (angular.x, angular.y, angular.z), self.lease))

        def on_message(self, _client, _userdata, message):
            body = json.loads(message.payload)
            if message.topic.endswith("/reply"):
                if not body["accepted"]:
                    self.get_logger().warn(body["reason"])
                return
            self.publish(body)

        def publish(self, state):
            now = self.get_clock().now().to_msg()
            joints = JointState()
            joints.header.stamp = now
            joints.name, joints.position = joint_state(state)
            self.joints.publish(joints)
            position, attitude, linear, angular = odometry(state)
            odom = Odometry()
            odom.header.stamp, odom.header.frame_id, odom.child_frame_id = now, self.odom_frame, self.base_frame
            place = odom.pose.pose
            place.position.x, place.position.y, place.position.z = position
            place.orientation.x, place.orientation.y, place.orientation.z, place.orientation.w = attitude
            speed = odom.twist.twist
            speed.linear.x, speed.linear.y, speed.linear.z = linear
            speed.angular.x, speed.angular.y, speed.angular.z = angular
            self.odom.publish(odom)
            tf = TransformStamped()
            tf.header, tf.child_frame_id = odom.header, self.base_frame
            tf.transform.translation.x, tf.transform.translation.y, tf.transform.translation.z = position
            tf.transform.rotation = place.orientation
            self.tf.sendTransform(tf)

        def leave(self):
            if self.lease:
                self.command("lease", {"action": "release", "holder": self.lease})
            self.client.loop_stop()
            self.client.disconnect()

    rclpy.init()
    node = Bridge()
    try:
        rclpy.spin(node)
    except KeyboardInterrupt:
        pass
    finally:
        node.leave()
        node.destroy_node()
        rclpy.try_shutdown()


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        check()
    else:
        main()
