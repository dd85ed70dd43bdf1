"""Run the ROS 2 bridge of examples/ros2 on a stand-in for ROS.

Messages are plain classes with the fields of the real ones; a field the bridge
makes up is an error, as it is in ROS. What the node publishes goes to standard
output, a JSON object a line; a line "vx vy wz" on standard input is a Twist on
/cmd_vel. Parameters are the arguments name=value.
"""

import json
import runpy
import sys
import threading
import types


def message(name, /, **fields):
    """Return a class whose objects have exactly these fields, made by their defaults."""

    def init(self):
        for k, make in fields.items():
            setattr(self, k, make())

    return type(name, (), {"__slots__": list(fields), "__init__": init})


def plain(v):
    """Turn a message into what JSON can write."""
    if hasattr(v, "__slots__"):
        return {k: plain(getattr(v, k)) for k in v.__slots__}
    return list(v) if isinstance(v, tuple) else v


Vector3 = message("Vector3", x=float, y=float, z=float)
Quaternion = message("Quaternion", x=float, y=float, z=float, w=float)
Time = message("Time", sec=int, nanosec=int)
Header = message("Header", stamp=Time, frame_id=str)
Twist = message("Twist", linear=Vector3, angular=Vector3)
Pose = message("Pose", position=Vector3, orientation=Quaternion)
PoseWithCovariance = message("PoseWithCovariance", pose=Pose, covariance=list)
TwistWithCovariance = message("TwistWithCovariance", twist=Twist, covariance=list)
Odometry = message("Odometry", header=Header, child_frame_id=str, pose=PoseWithCovariance, twist=TwistWithCovariance)
JointState = message("JointState", header=Header, name=list, position=list, velocity=list, effort=list)
Transform = message("Transform", translation=Vector3, rotation=Quaternion)
TransformStamped = message("TransformStamped", header=Header, child_frame_id=str, transform=Transform)

parameters = dict(a.split("=", 1) for a in sys.argv[2:])
out = threading.Lock()


def say(topic, msg):
    with out:
        print(json.dumps({"topic": topic, "msg": plain(msg)}), flush=True)


class Publisher:
    def __init__(self, kind, topic):
        self.kind, self.topic = kind, topic

    def publish(self, msg):
        if type(msg) is not self.kind:
            raise TypeError(f"{self.topic}: {type(msg)}")
        say(self.topic, msg)


class TransformBroadcaster:
    def __init__(self, _node):
        pass

    def sendTransform(self, msg):
        say("tf", msg)


class Now:
    def now(self):
        return self

    def to_msg(self):
        t = Time()
        t.sec = 7
        return t


class Log:
    def info(self, text):
        say("log", text)

    warn = info


class Node:
    def __init__(self, name):
        self.subscriptions, self.timers = {}, []

    def declare_parameter(self, name, default):
        text = parameters.get(name)
        return types.SimpleNamespace(value=default if text is None else type(default)(text))

    def create_publisher(self, kind, topic, _depth):
        return Publisher(kind, topic)

    def create_subscription(self, kind, topic, call, _depth):
        self.subscriptions[topic] = (kind, call)

    def create_timer(self, seconds, call):
        stop = threading.Event()

        def run():
            while not stop.wait(seconds):
                call()

        threading.Thread(target=run, daemon=True).start()
        self.timers.append(stop)

    def get_clock(self):
        return Now()

    def get_logger(self):
        return Log()

    def destroy_node(self):
        for stop in self.timers:
            stop.set()


def spin(node):
    kind, call = node.subscriptions["cmd_vel"]
    for line in sys.stdin:
        msg = kind()
        msg.linear.x, msg.linear.y, msg.angular.z = map(float, line.split())
        call(msg)
    raise KeyboardInterrupt  # Ctrl-C is how a node ends


def module(name, **content):
    m = sys.modules[name] = types.ModuleType(name)
    vars(m).update(content)


module("rclpy", init=lambda: None, spin=spin, try_shutdown=lambda: None)
module("rclpy.node", Node=Node)
module("geometry_msgs")
module("geometry_msgs.msg", TransformStamped=TransformStamped, Twist=Twist)
module("nav_msgs")
module("nav_msgs.msg", Odometry=Odometry)
module("sensor_msgs")
module("sensor_msgs.msg", JointState=JointState)
module("tf2_ros", TransformBroadcaster=TransformBroadcaster)
path, sys.argv[1:] = sys.argv[1], []
runpy.run_path(path, run_name="__main__")
